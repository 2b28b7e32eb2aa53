// Labels in the exploded pictures: a line from a part to its name, which is turned toward the viewer.

function side_of(to, at, view) = (to - at) * [cos(view[2]), sin(view[2]), 0] < 0 ? "right" : "left";

module label(view, at, to, words, size = 6) {
    color("black") {
        hull() {
            translate(at) sphere(d = size / 6, $fn = 8);
            translate(to) sphere(d = size / 6, $fn = 8);
        }
        translate(to) rotate(view) translate([side_of(to, at, view) == "left" ? size / 3 : -size / 3, 0, 0])
            linear_extrude(0.1) text(words, size = size, valign = "center", halign = side_of(to, at, view));
    }
}
