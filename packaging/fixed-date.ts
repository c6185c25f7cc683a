/** Of every file in an archive, so that the same sources give the same bytes. */
export const FIXED_DATE = new Date('2026-01-01T00:00:00Z');
