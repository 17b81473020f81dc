"""Listeners never block the sender; lost events are counted."""

from desk.log.fanout import Fanout


def test_a_slow_listener_loses_the_oldest_and_the_loss_is_counted() -> None:
    fanout: Fanout[int] = Fanout()
    slow, quick = fanout.listen(capacity=3), fanout.listen(capacity=3)
    heard = []
    for number in range(10):
        fanout.tell(number)
        heard += quick.take()
    assert heard == list(range(10))
    assert slow.take() == [7, 8, 9]
    assert (slow.lost, quick.lost, fanout.lost) == (7, 0, 7)


def test_who_leaves_hears_no_more() -> None:
    fanout: Fanout[str] = Fanout()
    listener = fanout.listen()
    fanout.tell("before")
    fanout.leave(listener)
    fanout.leave(listener)
    fanout.tell("after")
    assert listener.take() == ["before"]


def test_a_listener_may_leave_while_it_is_told() -> None:
    fanout: Fanout[str] = Fanout()
    first = fanout.listen(wake=lambda: fanout.leave(first))
    second = fanout.listen()
    fanout.tell("news")
    assert second.take() == ["news"]
