import { z } from 'zod';

/** What happened at a time, in words: shown beside a series. */
export const seriesAnnotationSchema = z.object({ at: z.string(), text: z.string() });
export type SeriesAnnotation = z.output<typeof seriesAnnotationSchema>;

/** Where questions find annotations. The caller's rights have been checked. */
export interface AnnotationSource {
  /** At or after `from` and before `to`, in epoch milliseconds; oldest first, at most 20. */
  between(tenantId: string, from: number, to: number): Promise<SeriesAnnotation[]>;
}
