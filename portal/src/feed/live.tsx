import { type RefObject, useEffect, useState } from 'react';
import { t } from '../language/index.ts';
import { Button } from '../ui/button.tsx';

const POLL_MS = 3_000;
/** Pixels. Up to this scroll position, new rows are inserted immediately. */
const TOP = 120;

/** The options of a query that is repeated while its page is live. Hidden pages are not polled. */
export function polled(isLive: boolean) {
  return { refetchInterval: isLive ? POLL_MS : false, refetchOnWindowFocus: isLive, staleTime: 0 } as const;
}

interface ShownOptions {
  /** The question. The answer of another one is shown at once. */
  asked?: string;
  isLive: boolean;
  /** Without it every answer is shown at once. */
  mayGrow?: boolean;
  /** Somebody has opened a row. */
  isReading?: boolean;
  list: RefObject<HTMLElement | null>;
}

/** The answer that is shown. New rows wait while the reader has scrolled down, stands in the list or reads a row. */
export function useShown<Answer>(newest: Answer | undefined, options: ShownOptions) {
  const { asked = '', isLive, mayGrow = true, isReading = false, list } = options;
  const [shown, setShown] = useState<{ asked: string; answer: Answer }>();
  useEffect(() => {
    if (newest === undefined) return;
    const isAtTop = window.scrollY <= TOP && !list.current?.matches(':focus-within') && !isReading;
    const answer = { asked, answer: newest };
    setShown((before) => (before?.asked !== asked || !mayGrow || (isLive && isAtTop) ? answer : before));
  }, [newest, asked, isLive, mayGrow, isReading, list]);
  const bringIn = () => {
    if (newest !== undefined) setShown({ asked, answer: newest });
    window.scrollTo({ top: 0 });
    list.current?.focus();
  };
  return { shown, bringIn };
}

/** Says whether new rows come by themselves, and changes it. */
export function LiveSwitch({ isLive, onChange }: { isLive: boolean; onChange(isLive: boolean): void }) {
  return (
    <>
      <span className="small muted">{isLive ? t('Live: asks every 3 seconds') : t('Paused')}</span>
      <Button icon={isLive ? 'pause' : 'play'} onClick={() => onChange(!isLive)}>
        {isLive ? t('Pause') : t('Go live')}
      </Button>
    </>
  );
}

const NEW_ROWS = {
  event: {
    exactly: (count: number) => t.count(count, '{count} new event', '{count} new events'),
    atLeast: (count: number) => t.count(count, '{count} or more new event', '{count} or more new events'),
  },
  execution: {
    exactly: (count: number) => t.count(count, '{count} new execution', '{count} new executions'),
    atLeast: (count: number) => t.count(count, '{count} or more new execution', '{count} or more new executions'),
  },
};

interface NewRowsProps {
  noun: keyof typeof NEW_ROWS;
  count: number;
  /** There may be more. */
  isCut?: boolean;
  onShow(): void;
}

/** The button behind which new rows wait. */
export function NewRows({ noun, count, isCut = false, onShow }: NewRowsProps) {
  return (
    <div role="status">
      {count > 0 && (
        <Button look="primary" onClick={onShow}>
          {isCut ? NEW_ROWS[noun].atLeast(count) : NEW_ROWS[noun].exactly(count)}
        </Button>
      )}
    </div>
  );
}
