import type { Schemas } from '../../api/schemas.ts';

export type ConnectorSummary = Schemas['ConnectorSummary'];
export type Definition = Schemas['Connector']['definition'];
export type Resource = Definition['resources'][string];
export type EnvironmentName = ConnectorSummary['environments'][number];
