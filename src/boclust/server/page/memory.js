/* What this browser remembers; nothing where it may not. */

export function recall(what) {
  try {
    return localStorage.getItem(`boclust ${what}`);
  } catch {
    return null;
  }
}

export function remember(what, value) {
  try {
    localStorage.setItem(`boclust ${what}`, value);
  } catch {
    // then it is asked for again
  }
}
