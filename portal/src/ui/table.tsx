import type { ReactNode } from 'react';

interface TableProps {
  /** Names the part of the page that scrolls. */
  label: string;
  /** The heads of the columns; those of numbers stand at the end of theirs. */
  columns: readonly (string | { number: string })[];
  className?: string;
  /** The rows. */
  children: ReactNode;
}

/** A table that scrolls by itself where it is too wide. */
export function Table({ label, columns, className = 'scroll', children }: TableProps) {
  return (
    <section className={className} aria-label={label} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {columns.map((column) => {
              const [text, align] = typeof column === 'string' ? [column] : [column.number, 'number'];
              return (
                <th key={text} scope="col" className={align}>
                  {text}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
