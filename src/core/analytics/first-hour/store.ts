/** The steps of a tenant's first hour, in their order. A step that was reached stays so. */
export const FIRST_HOUR_STEPS = ['event', 'client', 'question', 'card'] as const;
export type FirstHourStep = (typeof FIRST_HOUR_STEPS)[number];

/** A step, the sample data, or `away:` with the id of a user who put the checklist away. */
export type FirstHourName = FirstHourStep | 'sample' | `away:${string}`;

export interface FirstHourFact {
  name: FirstHourName;
  /** Epoch milliseconds. */
  at: number;
  details: Record<string, unknown> | null;
}

/** Every method sees one tenant. */
export interface FirstHourStore {
  /** The facts of these names that are there. */
  facts(tenantId: string, names: readonly FirstHourName[]): Promise<FirstHourFact[]>;
  /** False, and nothing is changed, where the name is there or the tenant is not. */
  note(tenantId: string, fact: FirstHourFact): Promise<boolean>;
  /** Replaces the details of the fact that was noted at this time. */
  change(tenantId: string, fact: FirstHourFact): Promise<void>;
  /** With `at` only the fact that was noted at this time. */
  forget(tenantId: string, name: FirstHourName, at?: number): Promise<void>;
}
