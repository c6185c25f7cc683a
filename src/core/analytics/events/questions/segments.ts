import { z } from 'zod';
import type { SegmentDefinition } from '../segment-schema.ts';

export interface DefinedSegment extends SegmentDefinition {
  name: string;
  /** Where conditions without an end stop, in epoch milliseconds; left out: nowhere. */
  until?: number | undefined;
}

/**
 * A question in which a segment's name is replaced by its definition: all that is needed for a
 * plan.
 */
export type WithSegment<Question> = Omit<Question, 'segment'> & { segment?: DefinedSegment | undefined };

/** Where questions find segments. The caller's rights have been checked. */
export interface SegmentSource {
  /** Throws `invalid` that names the nearest segments. */
  resolve(tenantId: string, name: string): Promise<DefinedSegment>;
  /** By name. With `search`, those whose name or title has it. */
  listed(tenantId: string, search?: string): Promise<ListedSegment[]>;
}

export interface ListedSegment {
  name: string;
  by: string;
  title?: string;
}

/** Which segment an answer used, with the conditions as they were read. */
export const segmentBasisSchema = z.object({
  name: z.string(),
  by: z.string(),
  conditions: z.array(z.record(z.string(), z.unknown())),
});
export type SegmentBasis = z.output<typeof segmentBasisSchema>;
