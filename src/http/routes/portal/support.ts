export const PORTAL = '/api/v1/portal';
export const MAX_BYTES = 16 * 1024;
