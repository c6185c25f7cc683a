import { keepPreviousData } from '@tanstack/react-query';
import { type RefObject, useEffect, useState } from 'react';
import { api } from '../../../api/client.ts';
import { useAgent } from '../../../shell/remembered.ts';
import { EXECUTIONS, type ExecutionList } from '../executions.ts';
import { arrivals, isNewestFirst, type ListSearch, queryOf, refreshed } from './state.ts';

const POLL_MS = 3_000;
/** Pixels. Up to this scroll position, new rows are inserted immediately. */
const TOP = 120;

/**
 * The page of the list in the address. Rows stay while another page loads; new ones wait while the reader has scrolled
 * down or stands in the list.
 */
export function useLiveList(search: ListSearch, isLive: boolean, list: RefObject<HTMLElement | null>) {
  const params = { query: queryOf(search, useAgent()) };
  const asked = JSON.stringify(params.query);
  const mayGrow = isNewestFirst(search);
  const isAsking = isLive && mayGrow;
  const [shown, setShown] = useState<{ asked: string; page: ExecutionList }>();
  const query = api.useQuery(
    'get',
    EXECUTIONS,
    { params },
    {
      placeholderData: keepPreviousData,
      // Hidden pages are not polled.
      refetchInterval: isAsking ? POLL_MS : false,
      refetchOnWindowFocus: isAsking,
      staleTime: 0,
    },
  );
  const { data, isPlaceholderData } = query;
  const isOld = shown?.asked !== asked;
  useEffect(() => {
    if (data === undefined || isPlaceholderData) return;
    const isAtTop = window.scrollY <= TOP && !list.current?.matches(':focus-within');
    const page = { asked, page: data };
    setShown((before) => (before?.asked !== asked || !mayGrow || (isAsking && isAtTop) ? page : before));
  }, [data, isPlaceholderData, asked, isAsking, mayGrow, list]);

  const isCurrent = data !== undefined && !isPlaceholderData && !isOld;
  return {
    query,
    page: shown?.page,
    /** The rows are those of another question, until the answer comes. */
    isOld: shown !== undefined && isOld,
    rows: shown && (isCurrent ? refreshed(shown.page, data) : shown.page.executions),
    waiting: isCurrent && mayGrow ? arrivals(shown!.page, data) : 0,
    bringIn: () => data && setShown({ asked, page: data }),
  };
}
