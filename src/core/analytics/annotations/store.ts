import type { Page } from '../../base/shared/paging.ts';

/** Times are epoch milliseconds. */
export interface StoredAnnotation {
  id: string;
  text: string;
  at: number;
  createdAt: number;
  createdBy: string;
}

/** At or after `from` and before `to`; null: no limit. */
export interface AnnotationRange {
  from: number | null;
  to: number | null;
}

/** Every method sees one tenant. */
export interface AnnotationStore {
  add(tenantId: string, annotation: StoredAnnotation): Promise<void>;
  /** Newest first by `at`. */
  list(tenantId: string, asked: AnnotationRange & { limit: number; offset: number }): Promise<Page<StoredAnnotation>>;
  count(tenantId: string): Promise<number>;
  change(
    tenantId: string,
    id: string,
    changes: Partial<Pick<StoredAnnotation, 'text' | 'at'>>,
  ): Promise<StoredAnnotation | null>;
  remove(tenantId: string, id: string): Promise<boolean>;
}
