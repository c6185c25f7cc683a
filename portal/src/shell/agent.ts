import { useSearch } from '@tanstack/react-router';
import { store, stored } from '../ui/stored.ts';

const KEY = 'agent';

/** The agent that pages show. Undefined: all agents. Only the address counts, so that a link shows the same to everyone. */
export function useAgent(): string | undefined {
  return useSearch({ from: '/shell' }).agent;
}

/** The last choice, for addresses that ask for nothing. */
export function lastAgent(): string | undefined {
  return stored('localStorage', KEY);
}

export function rememberAgent(agent: string | undefined): void {
  store('localStorage', KEY, agent);
}
