"""The book's estimators against known truth, cell by cell.

`nice uv run python -m benchmarks.book.estimators [--seeds 200] [--samples 2000] [--logs FOLDER]`

Ratings, reaction times, slowest cards, maps and the schedule, each on simulated players with seeds fixed
beforehand. Smaller cells of the same are tests (`tests/desk/book`). With `--logs` the schedule foretells the
attempts of kept logs instead, and its log loss is told beside that of one share for all.
"""

from pathlib import Path

from benchmarks.book import maps, reactions, reviews, strengths
from benchmarks.command import read_options
from desk.book.book import Book


def main() -> None:
    """Measure and print."""
    arguments = read_options(__doc__, seeds=200, samples=2000, logs=Path)
    if arguments.logs is not None:
        of_logs(arguments.logs)
        return
    for lines in (
        reviews.rows(max(4, arguments.seeds // 10)),
        maps.rows(arguments.samples),
        reactions.rows(arguments.samples),
        strengths.rows(arguments.seeds),
        strengths.attacks(arguments.seeds),
    ):
        for line in lines:
            print(line, flush=True)


def of_logs(folder: Path) -> None:
    """Print the log loss of the schedule on the practices of kept logs."""
    book = Book(folder)
    told = [
        (recall, happened)
        for name in book.names()
        for _, recall, happened in reviews.foretold(book.trials(name))
    ]
    book.close()
    if not told:
        print("no card was practised alone on two days: nothing can be foretold")
        return
    share = sum(happened for _, happened in told) / len(told)
    print(
        f"{len(told)} forecasts, {share:.1%} recalled; log loss {reviews.log_loss(told):.3f}, of one share "
        f"for all {reviews.log_loss([(share, happened) for _, happened in told]):.3f}"
    )


if __name__ == "__main__":
    main()
