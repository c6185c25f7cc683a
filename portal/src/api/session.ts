import { QueryCache, QueryClient } from '@tanstack/react-query';
import { api, type Schemas } from './client.ts';
import { statusOf } from './errors.ts';

export type Session = Schemas['Session'];

let endSession: () => void = () => undefined;

/** `listener` is called when the server answers 401: the session has ended. */
export function onSessionEnd(listener: () => void): void {
  endSession = listener;
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (statusOf(error) === 401) endSession();
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // Repeating a 4xx does not help.
      retry: (failures, error) => failures < 1 && (statusOf(error) ?? 500) >= 500,
    },
    mutations: {
      onError: (error) => {
        if (statusOf(error) === 401) endSession();
      },
    },
  },
});

/** The user, the tenant, and the scopes of the user's role. */
export const sessionQuery = api.queryOptions('get', '/api/v1/portal/me', {}, { staleTime: 300_000, retry: false });

export type Scope = Session['scopes'][number];

/** True if the user's role has the scope. */
export function allows({ scopes }: Session, scope: Scope): boolean {
  return scopes.includes('*') || scopes.includes(scope);
}
