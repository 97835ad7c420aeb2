// A round-robin arbiter for two clients. With BROKEN defined a grant is given out beside another one.
module arbiter (
	input  wire clk,
	input  wire rst,
	input  wire [1:0] request,
	output reg  [1:0] grant
);
	initial grant = 0;
	reg last = 0;

	always @(posedge clk) begin
		if (rst) begin
			grant <= 0;
			last <= 0;
		end else begin
`ifdef BROKEN
			grant[0] <= request[0];
			grant[1] <= request[1] && (!request[0] || last == 0);
`else
			grant[0] <= request[0] && (!request[1] || last == 1);
			grant[1] <= request[1] && (!request[0] || last == 0);
`endif
			if (request != 0)
				last <= request[1] && (!request[0] || last == 0);
		end
	end

`ifdef FORMAL
	always @(*)
		one_at_a_time: assert (grant != 2'b11);
`endif
endmodule
