import { useSearch } from '@tanstack/react-router';
import { store, stored } from '../ui/stored.ts';

const KEY = 'agent';

/** The agent that pages show: from the address, otherwise the last choice. Undefined: all agents. */
export function useAgent(): string | undefined {
  const { agent } = useSearch({ from: '/shell' });
  return agent ?? stored('localStorage', KEY);
}

export function rememberAgent(agent: string | undefined): void {
  store('localStorage', KEY, agent);
}
