export type RuntimeEventName = `runtime.${string}`;

/** An event about the runtime itself. */
export interface RuntimeEvent {
  /**
   * Derived from what the event reports: it is then stored once, however often it is recorded.
   * Without one the event gets a new id, and is stored as often as it is recorded.
   */
  id?: string;
  eventName: RuntimeEventName;
  /** By default the agent `default`. */
  agentId?: string;
  /** Epoch milliseconds. */
  timestamp: number;
  threadId?: string | null;
  executionId?: string;
  properties: object;
}

export type TenantRuntimeEvent = RuntimeEvent & { tenantId: string };
