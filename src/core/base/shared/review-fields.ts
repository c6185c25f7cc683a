export const RATINGS = ['good', 'bad', 'needs_improvement'] as const;
export type Rating = (typeof RATINGS)[number];

export const REVIEW_STATUSES = ['pending_review', 'in_progress', 'resolved', 'wont_fix'] as const;

export const PRIORITIES = ['low', 'medium', 'high', 'critical'] as const;

/** How a search compares words. */
export const MATCHES = ['stem', 'exact'] as const;
