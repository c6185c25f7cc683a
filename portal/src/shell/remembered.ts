import { useSearch } from '@tanstack/react-router';
import { store, stored } from '../ui/stored.ts';

/** The agent that pages show. Undefined: all agents. Only the address counts, so that a link shows the same to everyone. */
export function useAgent(): string | undefined {
  return useSearch({ strict: false }).agent;
}

/** The last choice, for addresses that ask for nothing. */
export function lastAgent(): string | undefined {
  return stored('localStorage', 'agent');
}

export function rememberAgent(agent: string | undefined): void {
  store('localStorage', 'agent', agent);
}

/** The tab of the dashboard that this window showed last: the default of the dashboard and of new cards. */
export function lastTab(): string | undefined {
  return stored('sessionStorage', 'tab');
}

export function rememberTab(id: string): void {
  store('sessionStorage', 'tab', id);
}
