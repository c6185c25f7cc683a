import { useEffect, useEffectEvent, useState } from 'react';
import { client } from '../../../api/client.ts';
import { messageOf, statusOf } from '../../../api/errors.ts';
import { t } from '../../../language/index.ts';
import { useTask } from '../../../ui/refusal.tsx';
import { announce } from '../../../ui/toast.tsx';
import { type Handed, invalidateReviews, NEXT, stepOn } from '../api.ts';
import { localEnd } from './lease.ts';

interface Held {
  executionId: string;
  /** Milliseconds of this computer's clock. */
  end: number;
}

/** A save or a skip of this person since the page was opened. */
interface Done {
  executionId: string;
  how: 'saved' | 'skipped';
  /** The queue had taken the item back before. */
  hadLeft: boolean;
  /** Takes back what was saved. */
  undo(): Promise<void>;
}

export type Counts = Pick<Handed, 'waiting' | 'done'>;

/** A queue in the hands of one person: the item that is shown, the way back, and what undoes the last step. */
export function useQueue(name: string) {
  const { error, isBusy, run, forgetError } = useTask();
  const [held, setHeld] = useState<Held | null>();
  /** The item on the page. It stays there when another one is held, until the person goes on. */
  const [shown, setShown] = useState<string | null>();
  const [counts, setCounts] = useState<Counts>();
  const [steps, setSteps] = useState<Done[]>([]);
  /** The items that were saved or skipped, in the order in which they were shown. */
  const [past, setPast] = useState<string[]>([]);
  /** How many items back the page is. */
  const [back, setBack] = useState(0);
  /** Another one after each undo: what was shown of the item is then out of date. */
  const [visit, setVisit] = useState(0);

  const hold = async (): Promise<Held | null> => {
    const { data, error: refusal, response } = await client.POST(NEXT, { params: { path: { name } } });
    if (data === undefined) throw refusal;
    const { item, ...current } = data;
    const date = response.headers.get('date');
    const next = item && { executionId: item.executionId, end: localEnd(item.leaseUntil, date, Date.now()) };
    setHeld(next);
    setCounts(current);
    return next;
  };
  const goOn = async () => {
    const next = await hold().catch((fault: unknown) => {
      // The error stands alone: the item on the page is finished.
      setBack(0);
      setShown(undefined);
      throw fault;
    });
    setBack(0);
    setShown(next?.executionId ?? null);
    void invalidateReviews();
  };
  const start = useEffectEvent(() => void run(goOn));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another queue begins anew
  useEffect(() => start(), [name]);

  const executionId = back === 0 ? shown : past.at(-back);
  const settle = async (how: Done['how'], undo: Done['undo']) => {
    const id = executionId!;
    const handed = await stepOn(name, id, how === 'saved' ? 'done' : 'skip').catch(nullIfLeft);
    const hadLeft = handed === null;
    if (handed) setCounts({ waiting: handed.waiting, done: handed.done });
    setSteps((before) => [...before, { executionId: id, how, hadLeft, undo }]);
    setPast((before) => (before.includes(id) ? before : [...before, id]));
    if (hadLeft) announce(how === 'saved' ? t('Saved: the queue had taken it back') : t('The queue had taken it back'));
    else announce(how === 'saved' ? t('Saved') : t('Skipped: U brings it back'));
    if (back > 1) setBack(back - 1);
    else await goOn();
  };
  const undo = async () => {
    const last = steps.at(-1);
    if (last === undefined) return;
    if (!last.hadLeft) await stepOn(name, last.executionId, 'release');
    setSteps((before) => before.slice(0, -1));
    setPast((before) => before.filter((id) => id !== last.executionId));
    const fault = await last.undo().then(() => null, messageOf);
    await goOn();
    setShown(last.executionId);
    setVisit((before) => before + 1);
    announce(fault ?? (last.how === 'saved' ? t('Undone: it is not saved any more') : t('Undone: it is back')));
  };
  return {
    executionId,
    visit,
    counts,
    error,
    isBusy,
    /** When the lease of the shown item ends; null for an item that the person does not hold. */
    leaseEnd: back === 0 && held && held.executionId === shown ? held.end : null,
    isPast: back > 0,
    retry: () => void run(goOn),
    /** Runs `save`, which gives what undoes it, and finishes the item. */
    save: async (save: () => Promise<Done['undo']>): Promise<void> => {
      await run(async () => settle('saved', await save()));
    },
    renew: () => void hold().catch(() => undefined),
    /** The shown item, if it is still free. */
    holdAgain: () => void run(hold),
    next: () => {
      forgetError();
      if (back > 0) setBack(back - 1);
      else void run(() => settle('skipped', async () => undefined));
    },
    /** Undefined without an earlier item. */
    previous: back < past.length ? () => setBack(back + 1) : undefined,
    undo: steps.length > 0 ? () => void run(undo) : undefined,
  };
}

/** An item is no longer the person's when it was erased or given back, or the queue was changed or deleted. */
function nullIfLeft(error: unknown): null {
  if (![403, 404, 409].includes(statusOf(error) ?? 0)) throw error;
  return null;
}

export type QueueWork = ReturnType<typeof useQueue>;
