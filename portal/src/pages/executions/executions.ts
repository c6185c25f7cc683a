import type { paths } from '../../../../clients/typescript/api.d.ts';
import type { Schemas } from '../../api/schemas.ts';

export const EXECUTIONS = '/api/v1/runtime/v1/observability/executions';
export const EXECUTION = `${EXECUTIONS}/{executionId}` as const;
export const STEPS = `${EXECUTION}/steps` as const;

export type Execution = Schemas['Execution'];
export type ExecutionRow = Schemas['ExecutionRow'];
export type ExecutionList = Schemas['ExecutionList'];
export type ExecutionsQuery = NonNullable<paths[typeof EXECUTIONS]['get']['parameters']['query']>;
