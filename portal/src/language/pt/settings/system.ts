/** System and security. */
export const system = {};
