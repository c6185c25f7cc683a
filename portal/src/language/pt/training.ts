/** Training data and gaps. */
export const training = {};
