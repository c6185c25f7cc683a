import { lazy, Suspense, useState } from 'react';
import { IconButton } from './button.tsx';
import type { MenuProps } from './menu-list.tsx';

export type { MenuItem } from './menu-list.tsx';

const loadList = () => import('./menu-list.tsx');
const MenuList = lazy(loadList);

/** A button that opens a list of actions. The list is larger than many pages, so it is loaded on demand. */
export function Menu({ label, icon = 'menu', items }: MenuProps) {
  const [isWanted, setWanted] = useState(false);
  const preload = () => void loadList().catch(() => undefined);
  const button = (
    <IconButton
      icon={icon}
      label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => setWanted(true)}
    />
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <MenuList label={label} icon={icon} items={items} />
    </Suspense>
  );
}
