/** Users, roles and their sessions. */
export const users = {};
