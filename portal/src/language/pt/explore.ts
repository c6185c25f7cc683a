/** Explore, the feed and the events behind a number. */
export const explore = {};
