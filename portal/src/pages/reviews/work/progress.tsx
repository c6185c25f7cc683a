import { LOCALE, t } from '../../../language/index.ts';
import { Table } from '../../../ui/table.tsx';
import type { Queue } from '../api.ts';
import { progressText } from '../words.ts';

/** "12 of 240 are done" */
export function Progress({ counts }: { counts: Pick<Queue, 'waiting' | 'done'> }) {
  return <strong role="status">{progressText(counts)}</strong>;
}

/** Who has done how much, on request. */
export function People({ people }: { people: Queue['people'] }) {
  if (people.length === 0) return null;
  return (
    <details className="folded">
      <summary>{t('Progress by person')}</summary>
      <Table
        label={t('Progress by person')}
        columns={[t('Person'), { number: t('Done|items') }, { number: t('Skipped|items') }]}
      >
        {people.map(({ type, id, label, done, skipped }) => (
          <tr key={`${type} ${id}`}>
            <th scope="row">
              <bdi>{label}</bdi>
            </th>
            <td className="number">{done.toLocaleString(LOCALE)}</td>
            <td className="number">{skipped.toLocaleString(LOCALE)}</td>
          </tr>
        ))}
      </Table>
    </details>
  );
}
