// The page of the lab.

import { render } from "preact";
import "./theme.css";
import "uplot/dist/uPlot.min.css";
import "./page.css";
import { App } from "./App";
import "./lab.css";
import { followToken } from "./client";
import { startNavigation } from "./navigation";
import { startTheme } from "./theme";
import { followWindow } from "./widgets/size";

startTheme();
followToken();
followWindow();
void startNavigation();
render(<App />, document.getElementById("app")!);
