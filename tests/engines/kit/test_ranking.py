"""Points given by hand, and sums of bookings."""

from engines.contract import ADJUSTMENT, Booking, totals
from engines.kit.ranking import by_hand


def test_points_given_by_hand_are_booked_where_there_are_some():
    assert by_hand((5, 0, -3)) == (Booking(0, 5, ADJUSTMENT, ""), Booking(2, -3, ADJUSTMENT, ""))


def test_a_total_is_the_sum_of_a_seats_bookings():
    booked = [Booking(0, 5, "plain", "X-1"), Booking(2, 4, "plain", "X-1"), *by_hand((1, 0, -4))]
    assert totals(booked, 3) == [6, 0, 0]
