import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Conversation } from './state/conversation.ts';

const NEAR_PX = 80;

/** Keeps the end of the page in view while answers grow, unless the user has scrolled up. A new message leads there. */
export function useFollowedEnd({ exchanges }: Conversation): void {
  const follows = useRef(true);
  const count = useRef(exchanges.length);
  useEffect(() => {
    const look = () => {
      const { scrollHeight } = document.documentElement;
      follows.current = window.innerHeight + window.scrollY >= scrollHeight - NEAR_PX;
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  useLayoutEffect(() => {
    const isNew = exchanges.length > count.current;
    count.current = exchanges.length;
    if (exchanges.length > 0 && (isNew || follows.current)) window.scrollTo(0, document.documentElement.scrollHeight);
  }, [exchanges]);
}
