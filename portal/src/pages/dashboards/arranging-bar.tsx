import { useEffect, useRef } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import type { Arranger } from './use-arranging.ts';

/** Buttons that move or resize a card, for users who neither drag nor use arrow keys. */
export function ArrangingBar({ arranger, title }: { arranger: Arranger; title: string }) {
  const bar = useRef<HTMLFieldSetElement>(null);
  const { arranging, step, keep, cancel } = arranger;
  useEffect(() => {
    // Later than the menu, which returns the focus to its button when it closes.
    const frame = requestAnimationFrame(() => bar.current?.querySelector<HTMLElement>('.primary')?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  const isMove = arranging?.kind === 'move';
  return (
    <fieldset ref={bar} className="arranging-bar" data-arranging="">
      <legend className="visually-hidden">{`${isMove ? 'Move' : 'Resize'} ${title}`}</legend>
      <IconButton icon="left" label={isMove ? 'Left' : 'Narrower'} onClick={() => step({ dx: -1, dy: 0 })} />
      <IconButton icon="up" label={isMove ? 'Up' : 'Shorter'} onClick={() => step({ dx: 0, dy: -1 })} />
      <IconButton icon="down" label={isMove ? 'Down' : 'Taller'} onClick={() => step({ dx: 0, dy: 1 })} />
      <IconButton icon="right" label={isMove ? 'Right' : 'Wider'} onClick={() => step({ dx: 1, dy: 0 })} />
      <Button look="primary" onClick={keep}>
        Save
      </Button>
      <IconButton icon="close" label="Cancel" onClick={cancel} />
    </fieldset>
  );
}
