export type MaintenanceTask =
  | 'alerts'
  | 'dashboard changes'
  | 'digests'
  | 'execution retention'
  | 'first run'
  | 'oauth'
  | 'retention';

/**
 * Who does what one process should do for all that share the state. Such a task must stay right if
 * two do it at once.
 */
export interface MaintenanceLease {
  /**
   * Whether this process does the task now. Ask before each run: the answer stays yes for a process
   * that asks at least every `everyMs`, and goes to another one after one and a half of these times
   * without a question.
   */
  held(task: MaintenanceTask, everyMs: number): Promise<boolean>;
  /** The tasks that this process does for all. */
  tasks(): MaintenanceTask[];
  /** Others need not wait for the end of the leases. */
  close(): Promise<void>;
}

/** The lease of a process that shares the state with no other one. */
export const UNSHARED: MaintenanceLease = {
  held: async () => true,
  tasks: () => [],
  close: async () => undefined,
};
