"""The product beside what somebody would write first, on the same material in the same run."""
