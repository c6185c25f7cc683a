import type { Stamp } from '../metrics/summaries.ts';
import type { CreateSegment } from './schema.ts';

/** Times are epoch milliseconds. */
export interface StoredSegment extends CreateSegment {
  createdAt: number;
  createdBy: string;
  updatedAt: number;
}

/** Every method sees one tenant. */
export interface SegmentStore {
  find(tenantId: string, name: string): Promise<StoredSegment | null>;
  /** The keys of all segments, by name, without their definitions. */
  stamps(tenantId: string): Promise<Stamp[]>;
  /** The segments that exist, by name. */
  some(tenantId: string, names: string[]): Promise<StoredSegment[]>;
  /** By name: replaces one that is there, but for how it was created. */
  put(tenantId: string, segment: StoredSegment): Promise<'put' | 'unknown tenant'>;
  remove(tenantId: string, name: string): Promise<boolean>;
}
