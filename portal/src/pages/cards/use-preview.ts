import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { RenderedCard as ChartCard } from '../../../../src/charts/answer.ts';
import { api, type Schemas } from '../../api/client.ts';
import { configOf } from './config.ts';
import { type CardForm, missingOf } from './state.ts';

const PAUSE_MS = 300;
/** The title does not change the answer. */
const TITLE = 'Preview';

export type RenderedCard = ChartCard & { notes?: string[] | undefined };

export interface Preview {
  /** The last answer; null before the first. */
  rendered: RenderedCard | null;
  /** True if the answer is that of an earlier form. */
  isOld: boolean;
  error: unknown;
  /** The field to choose first. */
  missing: string | null;
}

/** The answer of the form's card, requested after a pause in typing. A new request aborts the one before. */
export function usePreview(form: CardForm, agentId: string): Preview {
  const missing = missingOf(form);
  const body = { title: TITLE, agentId, cardType: form.cardType, config: configOf(form) } as Schemas['PreviewCard'];
  const wanted = missing === null ? JSON.stringify(body) : null;
  const asked = useRested(wanted);
  const query = api.queryOptions('post', '/api/v1/runtime/observability/dashboard-cards/preview', {
    body: asked === null ? body : (JSON.parse(asked) as Schemas['PreviewCard']),
  });
  const found = useQuery({ ...query, enabled: asked !== null, placeholderData: keepPreviousData, retry: false });
  const answer = (found.data as RenderedCard | undefined) ?? null;
  const [last, setLast] = useState(answer);
  if (answer !== null && answer !== last) setLast(answer);
  return {
    rendered: answer ?? last,
    isOld: wanted !== asked || found.isPlaceholderData || found.isFetching || answer === null,
    error: asked !== null && asked === wanted ? found.error : null,
    missing,
  };
}

/** The value after a pause without changes (debounce); the first value immediately. */
function useRested(value: string | null): string | null {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    if (value === rested) return undefined;
    const timer = setTimeout(() => setRested(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value, rested]);
  return rested;
}
