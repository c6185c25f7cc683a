/** The checklist of the first hour. */
export const firstHour = {};
