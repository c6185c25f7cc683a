import { createLink, Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { t } from '../language/index.ts';
import { Button } from './button.tsx';
import type { IconName } from './icon.tsx';
import { EmptyState } from './states.tsx';

/** The rows of a list page. */
export function ItemList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className="panel items" aria-label={label}>
      {children}
    </ul>
  );
}

interface RowsProps<Row> {
  label: string;
  /** Undefined until they are known. */
  rows: readonly Row[] | undefined;
  /** Says that there is no row. */
  none: string;
  /** The next step. */
  next: ReactNode;
  /** How many rows all pages have: without a row here, the page in the address is beyond the last one. */
  total?: number | undefined;
  children(row: Row): ReactNode;
}

/** An `ItemList` of rows, or what stands in its place when there are none. */
export function Rows<Row>({ label, rows, none, next, total = 0, children }: RowsProps<Row>) {
  if (!rows) return null;
  if (rows.length > 0) return <ItemList label={label}>{rows.map((row) => children(row))}</ItemList>;
  const first = (
    <Link to="." search={(before) => ({ ...before, page: undefined })}>
      {t('Show the first page')}
    </Link>
  );
  return (
    <div className="panel">
      {total > 0 ? (
        <EmptyState title={t('There is no such page')}>{first}</EmptyState>
      ) : (
        <EmptyState title={none}>{next}</EmptyState>
      )}
    </div>
  );
}

interface ItemProps {
  title: ReactNode;
  /** After the title: badges, a name. */
  beside?: ReactNode;
  /** At the end of the row: a value, buttons. */
  end?: ReactNode;
  children?: ReactNode;
}

/** A row of an `ItemList`. */
export function Item({ title, beside, end, children }: ItemProps) {
  return (
    <li className="item">
      <div className="item-text">
        <div className="row item-head">
          <p className="item-title" dir="auto">
            {title}
          </p>
          {beside}
        </div>
        {children}
      </div>
      {end && <div className="item-end">{end}</div>}
    </li>
  );
}

interface Action {
  label: string;
  /** With what it acts on, for screen readers: "Test local". */
  name: string;
  icon?: IconName;
  /** Why the user may not press it. */
  reason?: string | undefined;
  onClick(): void;
}

/** The buttons of a row. */
export function Actions({ actions }: { actions: readonly Action[] }) {
  return actions.map(({ label, name, ...rest }) => (
    <Button key={name} aria-label={name} {...rest}>
      {label}
    </Button>
  ));
}

const CoveringLink = createLink((props: ComponentProps<'a'>) => <a {...props} className="item-link" />);

/** The title of a row that opens a page. It covers the row: a press anywhere opens it. */
export const ItemLink: typeof CoveringLink = (props) => <CoveringLink preload={false} {...props} />;

/** A short word on a state. Its colour only repeats what the word says. */
export function Badge({ tone, children }: { tone?: 'good' | 'warning' | 'bad' | 'muted'; children: ReactNode }) {
  return <span className={tone ? `badge ${tone}` : 'badge'}>{children}</span>;
}
