/* Set the chosen theme, or the system's, before anything is drawn. */
try {
  document.documentElement.dataset.theme = localStorage.getItem("boclust theme") ?? "auto";
} catch {
  document.documentElement.dataset.theme = "auto";
}
