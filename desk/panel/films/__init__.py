"""The film page: upload a film, follow its judging, correct its readings, and take the rulings along."""
