/** Single sign-on and security. */
export const signOn = {};
