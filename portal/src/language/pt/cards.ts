/** The builder of cards, and the parts that editors share. */
export const cards = {};
