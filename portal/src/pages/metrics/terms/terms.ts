import type { Schemas } from '../../../api/schemas.ts';

export const TERMS = '/api/v1/runtime/observability/terms';

export type Term = Schemas['Term'];
export type TermChange = { kind: 'add' } | { kind: 'edit'; term: Term } | { kind: 'delete'; term: Term };
