/** Login, invitations, second factors, consent and the account of a user. */
export const login = {};
