import type { RenderedCard } from '../../../src/charts/answer.ts';
import { tableOf } from '../../../src/charts/card.ts';
import { LOCALE, t } from '../language/index.ts';

/** The data of a card as a table. */
export function DataTable({ rendered }: { rendered: RenderedCard }) {
  const { columns, rows } = tableOf(rendered, LOCALE);
  return (
    <section className="scroll data-table" tabIndex={0} aria-label={t('{title}, data', { title: rendered.card.title })}>
      <table className="table">
        <thead>
          <tr>
            {columns.map(({ label, align }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one label
              <th key={index} scope="col" className={align === 'right' ? 'number' : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ids, and change as a whole
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <td key={column} className={columns[column]?.align === 'right' ? 'number' : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
