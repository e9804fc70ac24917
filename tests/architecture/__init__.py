"""The shape of the project itself: which way imports point, what is public, what stays light."""
