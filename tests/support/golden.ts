/** Whether golden files are written instead of compared. CI only compares. */
export const UPDATES_GOLDEN = process.env.UPDATE_GOLDEN === '1';

if (UPDATES_GOLDEN && process.env.CI) throw new Error('UPDATE_GOLDEN=1 is for a developer; CI compares golden files');
