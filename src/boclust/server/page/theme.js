/* Before anything is drawn: the theme that was chosen, if any; else the system's. */
try {
  document.documentElement.dataset.theme = localStorage.getItem("boclust theme") ?? "auto";
} catch {
  document.documentElement.dataset.theme = "auto";
}
