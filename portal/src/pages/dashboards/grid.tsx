import { type CSSProperties, useMemo, useRef, useState } from 'react';
import { arrange, type Box } from '../../../../src/charts/tab/arrange.ts';
import { t } from '../../language/index.ts';
import { DashboardCard } from './card.tsx';
import { type Card, type Tab, useLayoutSaving } from './changes.ts';
import type { PageRange } from './page-range.ts';
import { sizeInWords } from './state.ts';
import { type Arranging, handleId, type Kind, useArranging } from './use-arranging.ts';

interface GridProps {
  /** The cards of one tab. */
  cards: readonly Card[];
  tabs: readonly Tab[];
  range: PageRange;
  agent: string | undefined;
  mayChange: boolean;
  /** By the id of a card that an agent changed last: who did it, and why. */
  marks: ReadonlyMap<string, string>;
  onMark(): void;
}

/** The cards of a tab, in twelve columns; in one column in a narrow window. */
export function Grid({ cards, tabs, range, agent, mayChange, marks, onMark }: GridProps) {
  const grid = useRef<HTMLDivElement>(null);
  const [outcome, setOutcome] = useState('');
  const placed = useMemo(() => arrange(cards), [cards]);
  const saving = useLayoutSaving(agent);

  const focusHandle = ({ kind, id, by }: Arranging) => {
    if (by === 'keys') requestAnimationFrame(() => focusCard(kind, id));
  };
  const arranger = useArranging({
    grid,
    placed,
    onKeep: (arranging) => {
      focusHandle(arranging);
      setOutcome(`${t('Saved.')} ${sizeInWords(boxOf(arranging))}`);
      saving.mutate({ cards, placed: arranging.placed });
    },
    onCancel: (arranging) => {
      focusHandle(arranging);
      setOutcome(t('Cancelled. The card was not changed.'));
    },
  });
  const { arranging } = arranger;
  const boxes = new Map((arranging?.placed ?? placed).map((box) => [box.id, box]));
  const byId = new Map(cards.map((card) => [card.id, card]));
  const isDragging = arranging?.by === 'pointer' && arranging.kind === 'move';

  return (
    <>
      <div ref={grid} className="grid" data-arranging-cards={arranging ? '' : undefined}>
        {/* In the old order during a drag: an element that moves in the document loses the pointer. */}
        {placed.map((old) => {
          const card = byId.get(old.id);
          if (!card) return null;
          // The dragged card follows the pointer from its old place.
          const box = isDragging && arranging.id === old.id ? old : (boxes.get(old.id) ?? old);
          return (
            <DashboardCard
              key={card.id}
              card={card}
              tabs={tabs}
              range={range}
              mayChange={mayChange}
              mark={marks.get(card.id)}
              onMark={onMark}
              arranger={arranger}
              style={placeOf(box)}
            />
          );
        })}
        {isDragging && <div className="grid-ghost" style={placeOf(boxOf(arranging))} aria-hidden="true" />}
      </div>
      <div className="visually-hidden" role="status">
        {arranging?.by === 'keys'
          ? instructionsOrSize(arranging, byId.get(arranging.id)?.title ?? '', placed)
          : outcome}
      </div>
    </>
  );
}

/** Focuses the handle, or the card's menu in a narrow window, which shows no handles. */
function focusCard(kind: Kind, id: string): void {
  const handle = document.getElementById(handleId(kind, id));
  const menu = handle?.closest('section')?.querySelector<HTMLElement>('[aria-haspopup]');
  (handle?.checkVisibility() ? handle : menu)?.focus();
}

function boxOf({ placed, id }: Arranging): Box {
  return placed.find((box) => box.id === id)!;
}

function placeOf({ x, y, w, h }: Box): CSSProperties {
  return { '--x': x + 1, '--y': y + 1, '--w': w, '--h': h } as CSSProperties;
}

function instructionsOrSize(arranging: Arranging, title: string, before: readonly { id: string }[]): string {
  if (arranging.placed !== before) return sizeInWords(boxOf(arranging));
  return arranging.kind === 'move'
    ? t('{title}: arrow keys move it, Enter saves, Escape cancels.', { title })
    : t('{title}: arrow keys change its size, Enter saves, Escape cancels.', { title });
}

const SHAPES = [
  { w: 3, h: 2 },
  { w: 3, h: 2 },
  { w: 6, h: 3 },
  { w: 6, h: 3 },
];

/** Shown until the tabs and cards are loaded. */
export function GridSkeleton() {
  return (
    <div role="status">
      <span className="visually-hidden">{t('Loading the dashboards …')}</span>
      <div className="skeleton tabs-skeleton" aria-hidden="true" />
      <div className="grid" aria-hidden="true">
        {SHAPES.map(({ w, h }, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: the shapes never change
            key={index}
            className="card panel"
            style={{ '--x': 'auto', '--y': 'auto', '--w': w, '--h': h } as CSSProperties}
          >
            <div className="skeleton" />
          </div>
        ))}
      </div>
    </div>
  );
}
