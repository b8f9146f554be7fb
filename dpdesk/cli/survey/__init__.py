"""`dpdesk survey`: randomized-response designs before and after collection."""
