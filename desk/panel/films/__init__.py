"""The film pages: upload a film, follow its judging, correct its readings and download the rulings."""
