export const FACTORS = '/api/v1/portal/me/second-factor';
export const SESSIONS = '/api/v1/portal/sessions';
