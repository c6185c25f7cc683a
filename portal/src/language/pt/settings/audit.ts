/** The audit log. */
export const audit = {};
