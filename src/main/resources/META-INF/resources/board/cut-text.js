/** Shows text that does not fit its element in full as the element's title while the pointer is on it. */
export function cutText(root = document) {
  root.addEventListener('pointerover', ({ target }) => {
    const element = target instanceof HTMLElement ? target : null;
    if (element && element.children.length === 0 && (!element.title || 'cut' in element.dataset)) {
      const cut = getComputedStyle(element).textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth;
      element.toggleAttribute('data-cut', cut);
      element.title = cut ? element.textContent : '';
    }
  });
}
