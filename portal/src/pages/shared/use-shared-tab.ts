import { useEffect, useState } from 'react';
import { afterAnswer, LOADING, type SharedState, type SharedTab } from './state.ts';

const REFRESH_MS = 60_000;

/** The tab that a link shows, read again each minute while the page is visible, until the link has ended. */
export function useSharedTab(address: string): SharedState & { refresh(): void } {
  const [state, setState] = useState(LOADING);
  const read = async (signal?: AbortSignal) => {
    const { status, tab } = await answerOf(address, signal);
    if (!signal?.aborted) setState((before) => afterAnswer(before, { status, tab, now: Date.now() }));
  };
  const hasEnded = state.status === 'ended';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address never changes
  useEffect(() => {
    if (hasEnded) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const readIfVisible = () => {
      if (!document.hidden) void read(signal);
    };
    void read(signal);
    const timer = setInterval(readIfVisible, REFRESH_MS);
    document.addEventListener('visibilitychange', readIfVisible, { signal });
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [hasEnded]);
  return { ...state, refresh: () => void read() };
}

/** Without the session of this browser: what a link shows depends on the link alone. */
async function answerOf(address: string, signal?: AbortSignal): Promise<{ status: number; tab: SharedTab | null }> {
  try {
    const response = await fetch(`${address}.json`, { credentials: 'omit', cache: 'no-store', signal: signal ?? null });
    const tab = response.ok ? ((await response.json()) as SharedTab) : null;
    return { status: response.status, tab };
  } catch {
    return { status: 0, tab: null };
  }
}
