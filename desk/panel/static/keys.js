// Keys that people press, apart from those with which they compose kana and kanji.

const OF_AN_INPUT_METHOD = 229; // the key code of a key that the input method takes, in browsers that end a composition first

/** A handler of keys that leaves alone what the input method takes: there Enter ends a composition and nothing else.
 * A page whose game has ended takes no key. */
export const typed = (handler) => (event) => {
  if (document.querySelector("main")?.inert) return;
  if (!event.isComposing && event.keyCode !== OF_AN_INPUT_METHOD) handler(event);
};
