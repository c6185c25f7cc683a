import { useState } from 'react';
import { statusOf } from '../api/errors.ts';
import type { Versioned } from '../api/versions.ts';
import { t } from '../language/index.ts';
import { Button } from '../ui/button.tsx';
import { Table } from '../ui/table.tsx';

/**
 * Sends a change of what several people may edit. After a 412 the version of the other person is read and given to
 * `merge`, which takes into the form what only they have changed. The form shows both, and the next attempt replaces
 * theirs knowingly.
 */
export function useConcurrentEdit<Stored>(
  first: Versioned<Stored>,
  read: () => Promise<Versioned<Stored>>,
  merge: (theirs: Stored) => void,
) {
  const [known, setKnown] = useState(first);
  const [theirs, setTheirs] = useState<Stored | null>(null);
  /** `change` sends the request with this ETag as `if-match`. */
  async function send<Result>(change: (etag: string) => Promise<Result>): Promise<Result> {
    try {
      return await change(known.etag);
    } catch (error) {
      if (statusOf(error) === 412) {
        const current = await read();
        setKnown(current);
        setTheirs(current.data);
        merge(current.data);
      }
      throw error;
    }
  }
  return { send, theirs, forget: () => setTheirs(null) };
}

export interface Difference {
  label: string;
  mine: string;
  theirs: string;
}

interface BothVersionsProps {
  /** Its members, also those that are alike. */
  members: readonly Difference[];
  onTakeTheirs(): void;
}

/** A form that scrolls may have its end out of sight. */
const reveal = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });

/** Says that somebody else has changed the same thing, and shows both versions. */
export function BothVersions({ members, onTakeTheirs }: BothVersionsProps) {
  const differing = members.filter(({ mine, theirs }) => mine !== theirs);
  const take = ({ currentTarget }: { currentTarget: HTMLButtonElement }) => {
    // The button goes away with both versions.
    currentTarget.form?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    onTakeTheirs();
  };
  return (
    <div ref={reveal} className="notice warning stack tight" role="alert">
      <p>{t('Somebody else has changed this since you opened it. Save again to keep yours, or take theirs.')}</p>
      {differing.length > 0 && (
        <Table label={t('Both versions')} columns={[t('Field'), t('Yours'), t('Theirs')]}>
          {differing.map(({ label, mine, theirs }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{mine === '' ? t('None') : mine}</td>
              <td>{theirs === '' ? t('None') : theirs}</td>
            </tr>
          ))}
        </Table>
      )}
      <div className="row">
        <Button onClick={take}>{t('Take theirs')}</Button>
      </div>
    </div>
  );
}
