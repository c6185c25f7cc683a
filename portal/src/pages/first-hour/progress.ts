import { api, type Schemas } from '../../api/client.ts';
import { queryClient } from '../../api/session.ts';
import { store, stored } from '../../ui/stored.ts';

export const FIRST_HOUR = '/api/v1/portal/first-hour';
export const SAMPLE_DATA = '/api/v1/portal/sample-data';

export type Progress = Schemas['FirstHour'];
export type Step = keyof Progress['steps'];

/** In the order in which the checklist has them. */
export const STEPS = ['event', 'client', 'question', 'card'] as const satisfies readonly Step[];

export const firstHourQuery = api.queryOptions('get', FIRST_HOUR);

export function isComplete({ steps }: Progress): boolean {
  return STEPS.every((step) => steps[step] !== null);
}

/** Undefined when all are done. */
export function currentStep({ steps }: Progress): Step | undefined {
  return STEPS.find((step) => steps[step] === null);
}

export function refetchProgress(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['get', FIRST_HOUR] });
}

/** Whoever is beyond the first hour, or has put it away, is not asked about any more in this browser. */
export function isOver(userId: string): boolean {
  return stored('localStorage', `first-hour ${userId}`) !== undefined;
}

export function rememberOver(userId: string, over: boolean): void {
  store('localStorage', `first-hour ${userId}`, over ? 'over' : undefined);
}
